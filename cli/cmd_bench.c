/* attend bench: this machine's training speed as a share of its own matrix product. */
#include "commands.h"

#include <attend/bench.h>

#include <stdio.h>

static void print_stages(const struct attend_bench *b)
{
    const struct {
        const char *name;
        double seconds;
    } stage[] = {
        {"rearrange weights", b->pack},
        {"encoder forward", b->encoder_forward},
        {"decoder forward", b->decoder_forward},
        {"logits and loss", b->loss},
        {"decoder backward", b->decoder_backward},
        {"encoder backward", b->encoder_backward},
        {"clip and update", b->update},
    };
    for (size_t i = 0; i < sizeof stage / sizeof *stage; i++)
        printf("  %-20s %7.1f ms  %4.1f %%\n", stage[i].name, 1e3 * stage[i].seconds,
               100 * stage[i].seconds * b->updates_per_second);
}

int cmd_bench(const struct command *command, const struct attend_options *options,
              const char *const *operand, int count)
{
    (void)operand, (void)count;
    struct attend_bench b;
    struct attend_error err;
    const enum attend_status status = attend_bench(options, &b, &err);
    if (status)
        return args_fail(command, status, &err);
    printf("threads              %d\n", b.threads);
    if (b.peak_blas > 0)
        printf("sgemm peak           %.1f GFLOP/s (OpenBLAS, 2048 cubed)\n", b.peak_blas);
    printf("own product          %.1f GFLOP/s (2048 cubed)\n", b.peak_own);
    printf("training             %.0f tokens/s (%.0f target), %.2f updates/s of %.1f GFLOP\n",
           b.tokens_per_second, b.target_tokens_per_second, b.updates_per_second, b.gflop);
    printf("reached              %.1f GFLOP/s, %.0f %% of the peak\n", b.gflops, 100 * b.share);
    printf("one update           %.1f ms\n", 1e3 / b.updates_per_second);
    print_stages(&b);
    return EXIT_DONE;
}
