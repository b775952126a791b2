import { styleText } from 'node:util'

const levels: Record<string, number> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 }
const colors = ['cyan', 'magenta', 'yellow', 'green', 'blue', 'cyanBright', 'magentaBright'] as const

/** The number of a level's name; `warn` where the name is unknown. */
export function levelNumber(name: string | undefined): number {
  return levels[name ?? 'warn'] ?? 40
}

/** A service's log line as a person reads it, or nothing when it is below the level. Text that is no JSON stays. */
export function readableLine(
  service: string,
  line: string,
  index: number,
  lowest: number,
): string | undefined {
  const prefix = styleText(colors[index % colors.length] ?? 'cyan', service.padEnd(14))
  const entry = parseEntry(line)
  if (!entry) return `${prefix} ${line}`
  const { level, time: _time, name: _name, pid: _pid, hostname: _hostname, msg, err, ...rest } = entry
  if (Number(level) < lowest) return undefined
  const details = Object.keys(rest).length > 0 ? ` ${styleText('dim', JSON.stringify(rest))}` : ''
  return `${prefix} ${painted(Number(level), String(msg ?? ''))}${details}${describe(err)}`
}

function parseEntry(line: string): Record<string, unknown> | undefined {
  try {
    const entry = JSON.parse(line)
    return typeof entry?.level === 'number' ? entry : undefined
  } catch {
    return undefined
  }
}

function painted(level: number, text: string): string {
  if (level >= 50) return styleText('red', text)
  return level >= 40 ? styleText('yellow', text) : text
}

function describe(err: unknown): string {
  if (typeof err !== 'object' || err === null) return ''
  const { message = '', causes = [] } = err as { message?: string; causes?: string[] }
  return `: ${[message, ...causes].join(' <- ')}`
}
