/** A name of the bus as HTTP spells it. */
export function snakeCase(camelCase: string): string {
  return camelCase.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
