import { type ReactNode, useId } from 'react'
import './setting-row.css'

interface SettingRowProps {
  label: string
  note?: ReactNode
  /** Draws the control, which carries this id; a group of controls, which names itself, needs none. */
  children: ReactNode | ((id: string) => ReactNode)
}

/** A setting: its name, its meaning, and its control. */
export function SettingRow({ label, note, children }: SettingRowProps) {
  const id = useId()
  const isGroup = typeof children !== 'function'
  return (
    <div className="setting-row">
      <div>
        {isGroup ? <span>{label}</span> : <label htmlFor={id}>{label}</label>}
        {note !== undefined && <p className="quiet small">{note}</p>}
      </div>
      {isGroup ? children : children(id)}
    </div>
  )
}
