import { Alert } from 'antd'
import type { ReactNode } from 'react'

interface BannerProps {
  tone: 'error' | 'warning' | 'info'
  glyph: string
  text: string
  /** The way out of it, if there is one. */
  action?: ReactNode
}

/** A line across every screen. */
export function Banner({ tone, glyph, text, action }: BannerProps) {
  const icon = <span aria-hidden="true">{glyph}</span>
  return <Alert banner role="none" type={tone} icon={icon} title={text} action={action} />
}
