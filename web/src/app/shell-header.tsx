import MenuOutlined from '@ant-design/icons/MenuOutlined'
import { Button } from 'antd'
import { Link } from 'react-router-dom'
import { paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import { Brand } from '../ui/brand.tsx'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import { UserMenu } from './user-menu.tsx'

/** The bar that stays at the top of every screen. */
export function ShellHeader({ onOpenNavigation }: { onOpenNavigation: () => void }) {
  return (
    <header className="shell-header">
      <Button
        className="shell-menu-button"
        type="text"
        icon={<MenuOutlined />}
        aria-label={texts.shell.openNavigation}
        onClick={onOpenNavigation}
      />
      <Link to={paths.home} className="shell-brand">
        <Brand />
      </Link>
      <span className="shell-header-space" />
      <ThemeToggle />
      <UserMenu />
    </header>
  )
}
