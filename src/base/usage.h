/* Resources that this process has used. */
#ifndef ATTEND_BASE_USAGE_H
#define ATTEND_BASE_USAGE_H

/* Peak resident memory in MB (2^20 bytes). */
double usage_peak_mb(void);
/* Seconds of CPU time of all threads. */
double usage_cpu_seconds(void);

#endif
