import { type ReactNode, useId } from 'react'

interface BuilderFieldProps {
  label: string
  fault?: string | undefined
  /** Draws the control, which carries this id. */
  children: (id: string) => ReactNode
}

/** One field of the builder under its label. */
export function BuilderField({ label, fault, children }: BuilderFieldProps) {
  const id = useId()
  return (
    <div className="builder-field">
      <label htmlFor={id} className="quiet small">
        {label}
      </label>
      {children(id)}
      {fault !== undefined && (
        <span className="builder-fault small" role="alert">
          {fault}
        </span>
      )}
    </div>
  )
}
