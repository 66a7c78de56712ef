#include "gemm_fixture.h"

#include "base/assist.h"
#include "base/threads.h"
#include "tensor/simd.h"

/* ---- Against the plain loop ---- */

TEST(gemm_matches_the_plain_loop_at_small_sizes)
{
    struct fixture f = fixture_new();
    for (int M = 1; M <= 19; M++)
        for (int N = 1; N <= 35; N += N < 5 ? 1 : 3)
            for (int K = 1; K <= 12; K += 5)
                check_shape(&f, (struct shape){M, N, K, .add = (M + N) % 2, .gap = N % 3});
    arena_release(&f.arena);
}

TEST(gemm_matches_the_plain_loop_at_odd_sizes)
{
    struct fixture f = fixture_new();
    for (int M = 1; M <= 70; M += 23)
        for (int N = 1; N <= 70; N += 17)
            for (int K = 1; K <= 70; K += 13)
                for (int bits = 0; bits < 8; bits++)
                    check_shape(&f, (struct shape){M, N, K, bits & 1, bits & 2, bits & 4, 3});
    arena_release(&f.arena);
}

/* Sizes that cross the blocks of A: 192 rows, 256 of the inner dimension. */
TEST(gemm_matches_the_plain_loop_across_blocks)
{
    struct fixture f = fixture_new();
    const int M[] = {119, 120, 121, 245}, N[] = {511, 512, 513, 530},
              K[] = {255, 256, 257, 511, 512, 513};
    for (int i = 0; i < 4; i++)
        check_shape(&f, (struct shape){M[i], 21, 33, i & 1, i & 2, i & 1, 5});
    for (int i = 0; i < 4; i++)
        check_shape(&f, (struct shape){7, N[i], 33, i & 2, i & 1, i & 1, 5});
    for (int i = 0; i < 6; i++)
        for (int add = 0; add < 2; add++)
            check_shape(&f, (struct shape){13, 37, K[i], i & 1, i & 2, add, 0});
    check_shape(&f, (struct shape){131, 519, 261, true, true, true, 1});
    arena_release(&f.arena);
}

TEST(gemm_of_no_rows_or_no_columns_does_nothing)
{
    struct fixture f = fixture_new();
    check_shape(&f, (struct shape){0, 5, 7, .add = true, .gap = 1});
    check_shape(&f, (struct shape){5, 0, 7, .gap = 2});
    arena_release(&f.arena);
}

TEST(gemm_over_an_inner_size_of_zero_is_zero)
{
    struct fixture f = fixture_new();
    check_shape(&f, (struct shape){3, 5, 0, .gap = 2});
    check_shape(&f, (struct shape){3, 5, 0, .add = true, .gap = 2});
    arena_release(&f.arena);
}

/* Without `add`, the old content of C must not matter, even if it is NaN. */
TEST(gemm_without_add_forgets_what_was_there)
{
    struct fixture f = fixture_new();
    for (int N = 5; N <= 37; N += 16) {
        real *a = numbers(1, 7 * 300), *b = numbers(2, 300 * (size_t)N);
        real c[7 * 37];
        memset(c, 0xff, sizeof c);
        gemm(&f.scratch, view_of(a, 7, 300), view_of(b, 300, N), view_of(c, 7, N), false);
        for (int i = 0; i < 7 * N; i++)
            assert_true(isfinite(c[i]));
        free(a);
        free(b);
    }
    arena_release(&f.arena);
}

/* ---- Packed ---- */

/* One product with packed B, (M, K) times (K, N); B is packed in shares of `share` columns. */
struct packed_case {
    int M, N, K, share;
    bool transposed, add;
};

static void fill_in_shares(struct packed *p, struct view B, int k0, int n0, int share)
{
    for (int from = 0; from < p->N; from += share)
        packed_fill(p, B, k0, n0, from, from + share < p->N ? from + share : p->N);
}

static void check_packed(struct fixture *f, struct packed_case s)
{
    const size_t count = (size_t)s.M * (size_t)s.N;
    struct arena arena = {0};
    struct packed p = packed_new(&arena, s.K, s.N);
    real *a = numbers(1, (size_t)s.M * (size_t)s.K), *b = numbers(2, (size_t)s.K * (size_t)s.N),
         *got = numbers(3, count), *want = copy_of(got, count);
    const struct view A = view_of(a, s.M, s.K), B = stored(b, s.K, s.N, s.transposed);
    fill_in_shares(&p, B, 0, 0, s.share);
    gemm_packed(&f->scratch, A, &p, view_of(got, s.M, s.N), s.add);
    gemm(&f->scratch, A, B, view_of(want, s.M, s.N), s.add);
    assert_same_bits(got, want, count);
    free(a);
    free(b);
    free(got);
    free(want);
    arena_release(&arena);
}

TEST(gemm_packed_equals_gemm_bit_for_bit_whatever_the_shares)
{
    struct fixture f = fixture_new();
    const int block = gemm_column_block(), K[] = {1, 63, 255, 256, 257, 512, 600},
              N[] = {1, 15, 16, 17, 63, 530};
    for (int k = 0; k < 7; k++)
        for (int n = 0; n < 6; n++)
            for (int bits = 0; bits < 4; bits++)
                check_packed(&f,
                             (struct packed_case){5 + 119 * (n == 3), N[n], K[k],
                                                  bits & 2 ? block : 1 << 20, bits & 1, bits & 2});
    arena_release(&f.arena);
}

/* A right-hand side made of 2 x 2 parts, whose borders lie inside a panel and inside a block of
 * 256. */
/* Columns in any order, some twice, of a matrix deeper than a block; the memory is larger than they
 * need. */
TEST(packed_gather_takes_columns_to_the_bit)
{
    enum { M = 5, N = 70, K = 300, TAKEN = 37 };
    struct fixture f = fixture_new();
    struct arena arena = {0}, other = {0};
    struct packed all = packed_new(&arena, K, N), some = packed_new(&other, K, TAKEN + 20);
    real *a = numbers(1, M * K), *b = numbers(2, K * N), *want = numbers(3, M * N),
         *got = numbers(4, M * TAKEN);
    int column[TAKEN];
    for (int n = 0; n < TAKEN; n++)
        column[n] = n * 29 % 61;
    packed_fill(&all, view_of(b, K, N), 0, 0, 0, N);
    packed_gather(&some, &all, column, TAKEN);
    gemm_packed(&f.scratch, view_of(a, M, K), &all, view_of(want, M, N), false);
    gemm_packed(&f.scratch, view_of(a, M, K), &some, view_of(got, M, TAKEN), false);
    for (int i = 0; i < M; i++)
        for (int n = 0; n < TAKEN; n++)
            assert_true(got[i * TAKEN + n] == want[i * N + column[n]]);
    free(a);
    free(b);
    free(want);
    free(got);
    arena_release(&other);
    arena_release(&arena);
    arena_release(&f.arena);
}

TEST(packed_parts_side_by_side_and_above_each_other_make_one_matrix)
{
    enum { M = 9, K = 600, N = 75, K1 = 301, N1 = 29 };
    struct fixture f = fixture_new();
    struct arena arena = {0};
    struct packed p = packed_new(&arena, K, N);
    real *a = numbers(1, M * K), *b = numbers(2, K * N), got[M * N], want[M * N];
    const struct view A = view_of(a, M, K), B = view_of(b, K, N);
    const struct view above = view_rows(B, 0, K1), below = view_rows(B, K1, K - K1);
    for (int share = gemm_column_block(); share < 200; share *= 3) {
        memset(p.at, 0xff, sizeof *p.at * K * N);
        fill_in_shares(&p, view_cols(below, N1, N - N1), K1, N1, share);
        fill_in_shares(&p, view_cols(above, 0, N1), 0, 0, share);
        fill_in_shares(&p, view_cols(above, N1, N - N1), 0, N1, share);
        fill_in_shares(&p, view_cols(below, 0, N1), K1, 0, share);
        gemm_packed(&f.scratch, A, &p, view_of(got, M, N), false);
        gemm(&f.scratch, A, B, view_of(want, M, N), false);
        assert_same_bits(got, want, M * N);
    }
    free(a);
    free(b);
    arena_release(&arena);
    arena_release(&f.arena);
}

TEST(packed_fill_writes_its_own_columns_only)
{
    enum { K = 20, N = 70 };
    struct arena arena = {0};
    struct packed p = packed_new(&arena, K, N);
    const int block = gemm_column_block(), panels = (N + block - 1) / block;
    real *b = numbers(2, K * N);
    packed_fill(&p, view_of(b, K, N), 0, 0, block, 2 * block);
    for (int panel = 0; panel < panels; panel++)
        for (int i = 0; i < K * block; i++)
            assert_int_equal(isfinite(p.at[panel * K * block + i]) != 0, panel == 1);
    free(b);
    arena_release(&arena);
}

/* Columns past the last are computed and dropped. They must be zeros, because denormals are
 * slow. */
TEST(packed_fill_clears_the_columns_past_the_last)
{
    enum { K = 300, N = 5 };
    struct arena arena = {0};
    struct packed p = packed_new(&arena, K, N);
    const int block = gemm_column_block();
    real *b = numbers(2, K * N);
    packed_fill(&p, view_of(b, K, N), 0, 0, 0, N);
    for (int i = 0; i < K * block; i++)
        assert_true(i % block < N ? isfinite(p.at[i]) : p.at[i] == 0);
    free(b);
    arena_release(&arena);
}

/* ---- A row's result depends on nothing but the row ---- */

enum { ROWS = 130, INNER = 300, COLUMNS = 147 };

struct product {
    struct fixture fixture;
    struct arena arena;
    struct packed B;
    real *a, *b, *c; /* c = a b, computed in one call */
};

static struct product product_new(void)
{
    struct product p = {.fixture = fixture_new()};
    p.B = packed_new(&p.arena, INNER, COLUMNS);
    p.a = numbers(1, ROWS * INNER);
    p.b = numbers(2, INNER * COLUMNS);
    p.c = numbers(3, ROWS * COLUMNS);
    packed_fill(&p.B, view_of(p.b, INNER, COLUMNS), 0, 0, 0, COLUMNS);
    gemm_packed(&p.fixture.scratch, view_of(p.a, ROWS, INNER), &p.B, view_of(p.c, ROWS, COLUMNS),
                false);
    return p;
}

static void product_release(struct product *p)
{
    free(p->a);
    free(p->b);
    free(p->c);
    arena_release(&p->arena);
    arena_release(&p->fixture.arena);
}

static void check_rows_alone(struct product *p, int rows)
{
    real c[ROWS * COLUMNS];
    for (int from = 0; from + rows <= ROWS; from += rows) {
        const struct view A = view_rows(view_of(p->a, ROWS, INNER), from, rows);
        gemm_packed(&p->fixture.scratch, A, &p->B, view_of(c, rows, COLUMNS), false);
        assert_same_bits(c, p->c + from * COLUMNS, (size_t)rows * COLUMNS);
    }
}

TEST(gemm_rows_do_not_depend_on_how_many_there_are)
{
    for (int level = 0; level <= (int)simd_level_available(); level++) {
        simd_cap(level);
        struct product p = product_new();
        for (int rows = 1; rows <= 13; rows++)
            check_rows_alone(&p, rows);
        check_rows_alone(&p, 64);
        check_rows_alone(&p, 121);
        product_release(&p);
    }
    simd_cap(SIMD_LEVELS);
}

TEST(gemm_columns_do_not_depend_on_how_they_are_split)
{
    const int block = gemm_column_block();
    struct product p = product_new();
    real *c = numbers(4, ROWS * COLUMNS);
    for (int share = block; share < 2 * COLUMNS; share += block) {
        memset(c, 0xff, ROWS * COLUMNS * sizeof *c);
        for (int from = 0; from < COLUMNS; from += share)
            gemm_packed_columns(&p.fixture.scratch, view_of(p.a, ROWS, INNER), &p.B,
                                view_of(c, ROWS, COLUMNS), false, from,
                                from + share < COLUMNS ? from + share : COLUMNS);
        assert_same_bits(c, p.c, ROWS * COLUMNS);
    }
    free(c);
    product_release(&p);
}

TEST(gemm_packed_columns_writes_its_own_columns_only)
{
    const int block = gemm_column_block();
    struct product p = product_new();
    real *c = numbers(4, ROWS * COLUMNS), *before = copy_of(c, ROWS * COLUMNS);
    const struct view A = view_of(p.a, ROWS, INNER), C = view_of(c, ROWS, COLUMNS);
    gemm_packed_columns(&p.fixture.scratch, A, &p.B, C, false, block, block);
    assert_same_bits(c, before, ROWS * COLUMNS);
    gemm_packed_columns(&p.fixture.scratch, A, &p.B, C, false, block, 2 * block);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        const bool ours = i % COLUMNS / block == 1;
        assert_true(c[i] == (ours ? p.c[i] : before[i]));
    }
    free(c);
    free(before);
    product_release(&p);
}

/* ---- Levels ---- */

/* ---- Threads that stand by ---- */

struct together {
    struct gemm_scratch *scratch;
    struct view A, C;
    const struct packed *B;
    struct assist assist;
};

static void multiply_together(struct worker *w, void *job)
{
    struct together *t = job;
    if (w->index > 0) {
        assist_stand_by(&t->assist);
        return;
    }
    t->scratch->assist = &t->assist;
    gemm_packed(t->scratch, t->A, t->B, t->C, true);
    t->scratch->assist = NULL;
    assist_end(&t->assist);
}

TEST(gemm_packed_is_the_same_when_threads_stand_by)
{
    enum { M = 100, N = 1000, K = 600 }; /* more rows than are packed at once */
    struct fixture f = fixture_new();
    struct arena arena = {0};
    struct packed p = packed_new(&arena, K, N);
    real *a = numbers(1, (size_t)M * K), *b = numbers(2, (size_t)K * N);
    real *alone = numbers(3, (size_t)M * N), *shared = copy_of(alone, (size_t)M * N);
    struct team *team;
    packed_fill(&p, view_of(b, K, N), 0, 0, 0, N);
    gemm_packed(&f.scratch, view_of(a, M, K), &p, view_of(alone, M, N), true);
    struct together job = {
        .scratch = &f.scratch, .A = view_of(a, M, K), .C = view_of(shared, M, N), .B = &p};
    assist_init(&job.assist);
    assert_int_equal(team_new(&team, 3, NULL), ATTEND_OK);
    team_run(team, multiply_together, &job);
    assert_memory_equal(alone, shared, sizeof(real) * M * N);
    team_free(team);
    free(a);
    free(b);
    free(alone);
    free(shared);
    arena_release(&arena);
    arena_release(&f.arena);
}

TEST_LEVELS(gemm_agrees_between_the_levels_of_the_processor)
{
    simd_cap(SIMD_PLAIN);
    struct product plain = product_new();
    simd_cap(high);
    struct product fast = product_new();
    for (int i = 0; i < ROWS * COLUMNS; i++)
        assert_near((double)fast.c[i], (double)plain.c[i],
                    sizeof(real) == sizeof(float) ? 1e-5 : 1e-14);
    product_release(&plain);
    product_release(&fast);
}

TEST(gemm_is_the_same_to_the_bit_with_avx2_and_avx512)
{
    if (simd_level_available() < SIMD_AVX512)
        skip();
    simd_cap(SIMD_AVX2);
    struct product narrow = product_new();
    simd_cap(SIMD_AVX512);
    struct product wide = product_new();
    assert_same_bits(narrow.c, wide.c, ROWS * COLUMNS);
    product_release(&narrow);
    product_release(&wide);
}

TEST(simd_cap_lowers_the_level_and_never_raises_it)
{
    simd_cap(0);
    assert_int_equal(simd_level(), SIMD_PLAIN);
    simd_cap(9);
    assert_int_equal(simd_level(), simd_level_available());
    simd_cap(SIMD_LEVELS);
    assert_int_equal(simd_level(), simd_level_available());
}

TEST(simd_find_knows_the_name_of_every_level)
{
    for (int level = 0; level < SIMD_LEVELS; level++)
        assert_int_equal(simd_find(simd_name((enum simd)level)), level);
    assert_int_equal(simd_find("avx"), SIMD_LEVELS);
    assert_int_equal(simd_find(""), SIMD_LEVELS);
}
