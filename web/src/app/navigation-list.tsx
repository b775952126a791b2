import { NavLink } from 'react-router-dom'
import { paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import { screens } from './screens.tsx'
import { countText, useFailedCount } from './use-failed-count.ts'

/** Links to the screens, the current one marked. */
export function NavigationList({ onFollow }: { onFollow?: () => void }) {
  return (
    <nav aria-label={texts.shell.navigation} className="navigation">
      <ul>
        {screens.map(({ path, name, icon }) => (
          <li key={path}>
            <NavLink to={path} {...(onFollow && { onClick: onFollow })}>
              {icon}
              {name}
              {path === paths.executions && <FailedCount />}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function FailedCount() {
  const count = useFailedCount()
  if (count === 0) return null
  const said = texts.shell.failedRecently(countText(count))
  return (
    <span className="failed-count" title={said}>
      <span aria-hidden="true">{countText(count)}</span>
      <span className="visually-hidden">{said}</span>
    </span>
  )
}
