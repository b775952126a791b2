/** Texts around the help for a code. */
export const helpTexts = {
  open: (code: string) => `Help for ${code}`,
  manual: (code: string) => `${code} in the manual`,
  next: 'Next step',
} as const
