import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useHref, useNavigate } from 'react-router-dom'

interface LinkButtonProps {
  to: string
  /** Brought to the screen beside its address. */
  state?: object
  isPrimary?: boolean
  children: ReactNode
}

/** A way to another screen that looks like a button. */
export function LinkButton({ to, state, isPrimary = false, children }: LinkButtonProps) {
  const href = useHref(to)
  const navigate = useNavigate()
  return (
    <Button
      block
      size="large"
      type={isPrimary ? 'primary' : 'default'}
      href={href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void navigate(to, { state })
      }}
    >
      {children}
    </Button>
  )
}
