import './json-tree.css'

interface JsonTreeProps {
  value: unknown
  /** The name of the value, if it is part of something. */
  name?: string
  /** The number of levels that are open at first. */
  openLevels?: number
}

/** A JSON value as a tree whose branches open and close. */
export function JsonTree({ value, name, openLevels = 3 }: JsonTreeProps) {
  const members = membersOf(value)
  if (members === undefined) return <JsonLeaf name={name} value={value} />
  const [opening, closing] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return (
    <details className="json-tree" open={openLevels > 0 && members.length > 0}>
      <summary>
        {name !== undefined && <JsonName name={name} />}
        <span>{opening}</span>
        <span className="json-fold">{members.length === 0 ? '' : ` ${members.length} … `}</span>
        <span className="json-fold">{closing}</span>
      </summary>
      <ul>
        {members.map(([key, member]) => (
          <li key={key}>
            <JsonTree name={key} value={member} openLevels={openLevels - 1} />
          </li>
        ))}
      </ul>
      <span className="json-end">{closing}</span>
    </details>
  )
}

function JsonLeaf({ name, value }: { name: string | undefined; value: unknown }) {
  return (
    <span className="json-leaf">
      {name !== undefined && <JsonName name={name} />}
      <span className={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
    </span>
  )
}

function JsonName({ name }: { name: string }) {
  return <span className="json-name">{JSON.stringify(name)}: </span>
}

function membersOf(value: unknown): [string, unknown][] | undefined {
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined
}
