import { Drawer } from 'antd'
import { type RefObject, useEffect } from 'react'
import { Link, NavLink } from 'react-router-dom'
import { failedPath, paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import { screens } from './screens.tsx'
import { countText, useFailedCount } from './use-failed-count.ts'

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

// antd's Menu would make the links commands of a menu, with one more stop of the Tab key.
/** Links to the screens, the current one marked. */
export function NavigationList({ onFollow }: { onFollow?: () => void }) {
  return (
    <nav aria-label={texts.shell.navigation} className="navigation">
      <ul className="navigation-links">
        {screens.map(({ path, name, icon }) => (
          <li key={path}>
            <NavLink to={path} {...(onFollow && { onClick: onFollow })}>
              {icon}
              {name}
            </NavLink>
            {path === paths.executions && <FailedCount {...(onFollow && { onFollow })} />}
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The number of recent failures, as a link to them. */
function FailedCount({ onFollow }: { onFollow?: () => void }) {
  const count = useFailedCount()
  if (count === 0) return null
  const said = texts.shell.failedRecently(countText(count))
  return (
    <Link className="failed-count" to={failedPath} title={said} {...(onFollow && { onClick: onFollow })}>
      <span aria-hidden="true">{countText(count)}</span>
      <span className="visually-hidden">{said}</span>
    </Link>
  )
}
