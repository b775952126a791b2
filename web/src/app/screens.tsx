import ApiOutlined from '@ant-design/icons/ApiOutlined'
import BellOutlined from '@ant-design/icons/BellOutlined'
import CodeOutlined from '@ant-design/icons/CodeOutlined'
import DashboardOutlined from '@ant-design/icons/DashboardOutlined'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import KeyOutlined from '@ant-design/icons/KeyOutlined'
import ReadOutlined from '@ant-design/icons/ReadOutlined'
import StockOutlined from '@ant-design/icons/StockOutlined'
import { paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'

/** The screens of the navigation; `letter` behind `g` goes there. */
export const screens = [
  {
    path: paths.dashboard,
    name: texts.shell.dashboard,
    letter: 'd',
    icon: <DashboardOutlined aria-hidden="true" />,
  },
  {
    path: paths.positions,
    name: texts.shell.positions,
    letter: 'p',
    icon: <StockOutlined aria-hidden="true" />,
  },
  { path: paths.apiKeys, name: texts.shell.apiKeys, letter: 'k', icon: <KeyOutlined aria-hidden="true" /> },
  {
    path: paths.executions,
    name: texts.shell.executions,
    letter: 'e',
    icon: <HistoryOutlined aria-hidden="true" />,
  },
  { path: paths.webhook, name: texts.shell.webhook, letter: 'w', icon: <ApiOutlined aria-hidden="true" /> },
  {
    path: paths.terminal,
    name: texts.shell.terminal,
    letter: 't',
    icon: <CodeOutlined aria-hidden="true" />,
  },
  {
    path: paths.notifications,
    name: texts.shell.notifications,
    letter: 'n',
    icon: <BellOutlined aria-hidden="true" />,
  },
  { path: paths.manual, name: texts.shell.manual, letter: 'm', icon: <ReadOutlined aria-hidden="true" /> },
]
