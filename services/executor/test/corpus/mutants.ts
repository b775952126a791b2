import { type Recording, textOf } from './recording.ts'

/** A recording that was changed in one place. */
export interface Mutant {
  recording: Recording
  /** The place, without the indices of lists: `result.list.side`. */
  field: string
  change: 'lost' | 'emptied' | 'otherwise' | 'exchanged' | 'new word' | 'more'
}

type Path = readonly (string | number)[]

// Digits that are to stand in the text as a number, however long they are.
const bare = (digits: string): string => `@@${digits}@@`
const number = /^-?(0|[1-9]\d*)(\.\d+)?$/
const word = /^[A-Za-z_]{3,}$/

/** Returns all changes of a recording that the venue may make one day, each alone. */
export function mutantsOf(recording: Recording): Mutant[] {
  const body: unknown = JSON.parse(textOf(recording))
  const all: Mutant[] = []
  const add = (path: Path, change: Mutant['change'], value: unknown): void => {
    const text = JSON.stringify(changed(body, path, value)).replace(/"@@([^"]*)@@"/g, '$1')
    const field = path.filter((name) => typeof name === 'string').join('.')
    all.push({ recording: { ...recording, body: text }, field, change })
  }
  for (const [path, value] of placesIn(body)) {
    const isField = typeof path.at(-1) === 'string'
    if (isField) {
      add(path, 'lost', undefined)
      add(path, 'emptied', null)
      add(path, 'otherwise', { new: 'shape' })
    }
    if (typeof value === 'number') add(path, 'exchanged', `${value}`)
    if (typeof value === 'string' && number.test(value)) add(path, 'exchanged', bare(value))
    if (typeof value === 'string' && word.test(value)) add(path, 'new word', 'SomethingNew')
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      add([...path, 'newField'], 'more', { list: [1, 'a', null] })
      add([...path, 'newId'], 'more', bare('8389766000000000001'))
    }
  }
  return all
}

function placesIn(value: unknown, path: Path = []): [Path, unknown][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const isList = Array.isArray(value)
  return [
    ...(path.length > 0 ? [[path, value] as [Path, unknown]] : []),
    ...inner.flatMap(([name, one]) => placesIn(one, [...path, isList ? Number(name) : name])),
  ]
}

function changed(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by
  if (Array.isArray(value)) return value.map((one, index) => (index === name ? changed(one, rest, by) : one))
  const fields = value as Record<string, unknown>
  return { ...fields, [name]: changed(fields[name], rest, by) }
}
