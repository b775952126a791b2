import { Drawer } from 'antd'
import { texts } from '../shared/texts.ts'
import { NavigationList } from './navigation-list.tsx'

interface NavigationDrawerProps {
  isOpen: boolean
  onClose: () => void
  /** It is gone from the screen. */
  onClosed: () => void
}

/** The navigation of narrow screens. */
export function NavigationDrawer({ isOpen, onClose, onClosed }: NavigationDrawerProps) {
  return (
    <Drawer
      title={texts.brand}
      placement="left"
      size={240}
      open={isOpen}
      onClose={onClose}
      afterOpenChange={(isOpenNow) => isOpenNow || onClosed()}
      destroyOnHidden
    >
      <NavigationList onFollow={onClose} />
    </Drawer>
  )
}
