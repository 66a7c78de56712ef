/* The number type of every tensor: float, or double in the build that checks gradients. */
#ifndef ATTEND_TENSOR_REAL_H
#define ATTEND_TENSOR_REAL_H

#ifdef ATTEND_REAL_DOUBLE
typedef double real;
#else
typedef float real;
#endif

#endif
