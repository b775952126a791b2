import { Drawer } from 'antd'
import { type RefObject, useEffect } from 'react'
import { texts } from '../shared/texts.ts'
import { NavigationList } from './navigation-list.tsx'

interface NavigationDrawerProps {
  isOpen: boolean
  onClose: () => void
  /** The button that opened it, and gets the focus back. */
  opener: RefObject<HTMLButtonElement | null>
}

/** The navigation of narrow screens. */
export function NavigationDrawer({ isOpen, onClose, opener }: NavigationDrawerProps) {
  // antd gives the focus back after its animation only, and not at all when that is cut short.
  useEffect(() => (isOpen ? () => opener.current?.focus() : undefined), [isOpen, opener])
  return (
    <Drawer title={texts.brand} placement="left" size={240} open={isOpen} onClose={onClose} destroyOnHidden>
      <NavigationList onFollow={onClose} />
    </Drawer>
  )
}
