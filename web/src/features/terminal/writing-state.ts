/** State of the way to the terminal for somebody who wants to write there at once. */
export const writingState = { isWriting: true } as const
