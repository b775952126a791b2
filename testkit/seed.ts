const { TRIPLINE_LONG, TRIPLINE_SEED } = process.env

/** Whether tests of random inputs take their time. */
export const isLongRun = Boolean(TRIPLINE_LONG)

/** What random inputs are made from: the same in every run, unless a seed is given or the run is a long one. */
export const seed = Number(TRIPLINE_SEED ?? (isLongRun ? Date.now() % 1_000_000_007 : 280_384_110))
