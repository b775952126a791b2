/** What is said around the help for a code. */
export const helpTexts = {
  open: (code: string) => `Help for ${code}`,
  next: 'Next step',
} as const
