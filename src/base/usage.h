/* What this process has used of the machine. */
#ifndef ATTEND_BASE_USAGE_H
#define ATTEND_BASE_USAGE_H

/* The most memory that was resident at once, in MB (2^20 bytes). */
double usage_peak_mb(void);

#endif
