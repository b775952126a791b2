import type { ReactNode } from 'react'

/** A numbered part of a form. */
export function FormStep({
  number,
  title,
  children,
}: {
  number: number
  title: string
  children: ReactNode
}) {
  return (
    <section className="form-step" aria-label={title}>
      <h2>
        <span aria-hidden="true">{number}</span> {title}
      </h2>
      {children}
    </section>
  )
}
