import type { ReactNode } from 'react'

interface PanelProps {
  title: string
  /** The number of things it lists. */
  count?: number
  actions?: ReactNode
  children: ReactNode
}

// antd's Card brings its Tabs, 11 kB: the terminal would go beyond its limit.
/** A titled part of a screen. */
export function Panel({ title, count, actions, children }: PanelProps) {
  return (
    <section className="framed panel" aria-label={title}>
      <header className="panel-header">
        <h2>{title}</h2>
        {count !== undefined && <span className="panel-count">{count}</span>}
        <span className="panel-space" />
        {actions}
      </header>
      <div className="panel-body">{children}</div>
    </section>
  )
}
