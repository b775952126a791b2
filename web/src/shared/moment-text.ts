/** Whose clock times are shown by. */
export type Clock = 'utc' | 'local'

type Part = 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fractionalSecond'

// Making one takes long, and a table has many times.
const formats = new Map<string | undefined, Intl.DateTimeFormat>()

/** An instant as month and day, and the time of day to the millisecond; without a zone it is the reader's own. */
export function momentText(instant: string, timeZone?: string): { day: string; time: string } {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  ) as Record<Part, string>
  const { month, day, hour, minute, second, fractionalSecond } = parts
  return { day: `${month}-${day}`, time: `${hour}:${minute}:${second}.${fractionalSecond}` }
}

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}
