import { Button, type ButtonProps } from 'antd'

interface IconButtonProps extends Omit<ButtonProps, 'aria-label' | 'title'> {
  label: string
}

/** A button that shows an icon alone, with its name behind it. */
export function IconButton({ label, ...props }: IconButtonProps) {
  return <Button type="text" size="small" aria-label={label} title={label} {...props} />
}
