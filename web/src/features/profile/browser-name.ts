const browsers = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bCriOS\/|\bChrome\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const

const systems = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone|\biPad/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** A browser and its system as people call them, from what it says of itself; undefined where that is unknown. */
export function browserName(userAgent: string): string | undefined {
  const nameIn = (list: readonly (readonly [RegExp, string])[]) =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  return browser && system ? `${browser} on ${system}` : (browser ?? system)
}
