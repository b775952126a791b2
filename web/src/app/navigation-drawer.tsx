import { Drawer } from 'antd'
import { texts } from '../shared/texts.ts'
import { NavigationList } from './navigation-list.tsx'

/** The navigation of narrow screens. */
export function NavigationDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Drawer title={texts.brand} placement="left" size={240} open={isOpen} onClose={onClose} destroyOnHidden>
      <NavigationList onFollow={onClose} />
    </Drawer>
  )
}
