/** True for a code that the manual lists, such as E507; the others are names of the API and stand on no screen. */
export function isNumberedCode(code: string): boolean {
  return /^[A-Z]\d{3}$/.test(code)
}
