import CodeOutlined from '@ant-design/icons/CodeOutlined'
import { NavLink } from 'react-router-dom'
import { paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'

const screens = [{ path: paths.terminal, name: texts.shell.terminal, icon: <CodeOutlined /> }]

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
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
