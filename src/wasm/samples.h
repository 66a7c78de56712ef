/* What reading sound needs where the module attend-sound.so is not: the page decodes sound itself, so
 * samples of 16 bits are enough. */
#ifndef ATTEND_WASM_SAMPLES_H
#define ATTEND_WASM_SAMPLES_H

#include "attend/frames.h"

/* A WAV file of 16 bits with one or two channels. */
attend_sound_decode_fn samples_decode;
/* By Cooley and Tukey; the size is a power of two. */
attend_sound_power_fn samples_power;

#endif
