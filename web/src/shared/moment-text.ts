type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fractionalSecond'

// Making one takes long, and a table has many times.
const formats = new Map<string, Intl.DateTimeFormat>()

/** An instant by the clock of a zone: month and day, and the time of day to the millisecond. */
export function momentText(instant: string, zone: string): { day: string; time: string } {
  const { month, day, hour, minute, second, fractionalSecond } = partsOf(new Date(instant), zone)
  return { day: `${month}-${day}`, time: `${hour}:${minute}:${second}.${fractionalSecond}` }
}

/** The time of day of an instant by the clock of a zone, to the millisecond. */
export function timeText(instant: string, zone: string): string {
  return momentText(instant, zone).time
}

/** An instant by the clock of a zone, as a field for a day and a time takes it: `2026-11-21T23:05`. */
export function localText(instant: string, zone: string): string {
  const { year, month, day, hour, minute } = partsOf(new Date(instant), zone)
  return `${year}-${month}-${day}T${hour}:${minute}`
}

/** The instant at which a zone's clock shows a day and a time; undefined where that is none. */
export function instantOf(local: string, zone: string): string | undefined {
  const shown = Date.parse(`${local}Z`)
  if (Number.isNaN(shown)) return undefined
  // The second look is for a clock that is put forward or back in between.
  const guess = shown - aheadMs(shown, zone)
  return new Date(shown - aheadMs(guess, zone)).toISOString()
}

/** By how many ms the clock of a zone is ahead of UTC. */
function aheadMs(moment: number, zone: string): number {
  const { year, month, day, hour, minute, second, fractionalSecond } = partsOf(new Date(moment), zone)
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fractionalSecond}Z`) - moment
}

function partsOf(moment: Date, zone: string): Record<Part, string> {
  const parts = formatOf(zone).formatToParts(moment)
  return Object.fromEntries(parts.map(({ type, value }) => [type, value])) as Record<Part, string>
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  })
  formats.set(zone, format)
  return format
}
