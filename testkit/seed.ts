const { TRIPLINE_LONG, TRIPLINE_SEED } = process.env

/** Whether tests of random inputs take their time. */
export const isLongRun = Boolean(TRIPLINE_LONG)

/** The seed of random inputs: the same in every run, unless one is given or the run is a long one. */
export const seed = Number(TRIPLINE_SEED ?? (isLongRun ? Date.now() % 1_000_000_007 : 280_384_110))
