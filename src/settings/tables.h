/* The tables of settings. Each fills a public options struct. */
#ifndef ATTEND_SETTINGS_TABLES_H
#define ATTEND_SETTINGS_TABLES_H

#include "attend/settings.h"

/* train_rows.c. The rows of a network are in model/config.c, because model files record them. */
extern const struct attend_setting data_rows[], token_rows[], run_rows[], learning_rows[];
/* translator_rows.c */
extern const struct attend_setting search_rows[], direction_rows[], speed_rows[];
/* writer_rows.c */
extern const struct attend_setting writer_rows[];
/* align_rows.c */
extern const struct attend_setting align_rows[], align_both_rows[], align_gold_rows[],
    align_speed_rows[];
/* eval_rows.c */
extern const struct attend_setting eval_rows[], metric_rows[];
/* serve_rows.c */
extern const struct attend_setting serve_model_rows[], serve_rows[], serve_limit_rows[];
/* bench_rows.c */
extern const struct attend_setting bench_rows[];
/* distill_rows.c */
extern const struct attend_setting distill_rows[];

/* The tables of one struct, NULL-terminated. */
typedef const struct attend_setting *const settings_tables[];
extern settings_tables data_tables, network_tables, train_tables, translator_tables, writer_tables,
    align_tables, eval_tables, serve_tables, bench_tables, distill_tables;

/* Fill `out` with the defaults, copy the caller's options over them (`given` NULL: none), and check
 * every range and choice. Both structs begin with their size; only fields that the caller was
 * compiled with are copied. */
enum attend_status settings_take(void *out, size_t size, settings_tables tables, const void *given,
                                 struct attend_error *err);
#define SETTINGS_TAKE(out, tables, given, err)                                                     \
    settings_take((out), sizeof *(out), (tables), (given), (err))

#endif
