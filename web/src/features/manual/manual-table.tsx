import type { ComponentProps } from 'react'

/** A table that is moved sideways by itself where it is wider than the screen, also by keyboard. */
export function ManualTable({ children }: ComponentProps<'table'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer moves it by the arrow keys
    <div className="manual-table" tabIndex={0}>
      <table>{children}</table>
    </div>
  )
}
