import LogoutOutlined from '@ant-design/icons/LogoutOutlined'
import UserOutlined from '@ant-design/icons/UserOutlined'
import { Button, Dropdown } from 'antd'
import { useNavigate } from 'react-router-dom'
import { useGetMeQuery } from '../shared/client.ts'
import { logout } from '../shared/end-session.ts'
import { paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'

/** The person's menu, with the way to the profile and out. */
export function UserMenu() {
  const { data: me } = useGetMeQuery()
  const name = me?.email ?? texts.shell.user
  const navigate = useNavigate()
  const items = [
    {
      key: 'profile',
      icon: <UserOutlined aria-hidden="true" />,
      label: texts.shell.profile,
      onClick: () => void navigate(paths.profile),
    },
    {
      key: 'logout',
      icon: <LogoutOutlined aria-hidden="true" />,
      label: texts.shell.logout,
      onClick: () => void logout(),
    },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button
        type="text"
        icon={<UserOutlined aria-hidden="true" />}
        className="user-menu"
        aria-label={name}
        title={name}
      >
        <span className="header-word user-menu-name">{name}</span>
      </Button>
    </Dropdown>
  )
}
