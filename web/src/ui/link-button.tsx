import { Button, type ButtonProps } from 'antd'
import { useHref, useNavigate } from 'react-router-dom'

interface LinkButtonProps extends Pick<ButtonProps, 'block' | 'size' | 'type' | 'children'> {
  to: string
  /** Brought to the screen beside its address. */
  state?: object
}

/** A way to another screen that looks like a button. */
export function LinkButton({ to, state, ...look }: LinkButtonProps) {
  const href = useHref(to)
  const navigate = useNavigate()
  return (
    <Button
      {...look}
      href={href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void navigate(to, { state })
      }}
    />
  )
}
