import { type ReactNode, useId } from 'react'
import './setting-row.css'

interface SettingRowProps {
  label: string
  note?: ReactNode
  /** Draws the control, which carries this id. */
  children: (id: string) => ReactNode
}

/** A setting: its name, its meaning, and its control. */
export function SettingRow({ label, note, children }: SettingRowProps) {
  const id = useId()
  return (
    <div className="setting-row">
      <div>
        <label htmlFor={id}>{label}</label>
        {note !== undefined && <p className="quiet small">{note}</p>}
      </div>
      {children(id)}
    </div>
  )
}
