import { App as AntdApp, ConfigProvider } from 'antd'
import { Provider } from 'react-redux'
import { BrowserRouter } from 'react-router-dom'
import { contentNonce } from '../shared/content-nonce.ts'
import { useTheme } from '../shared/theme.ts'
import { antdTheme } from '../ui/antd-theme.ts'
import { AppRoutes } from './routes.tsx'
import { store } from './store.ts'

const nonce = contentNonce()

// Below the body itself antd locks scrolling with a style that has no nonce; base.css locks it instead.
const overlays = () => document.getElementById('overlays') ?? document.body

/** The whole app. */
export function App() {
  return (
    <Provider store={store}>
      <ConfigProvider theme={antdTheme(useTheme())} csp={{ nonce }} getPopupContainer={overlays}>
        <AntdApp notification={{ placement: 'bottomLeft', maxCount: 3 }}>
          <BrowserRouter>
            <AppRoutes />
          </BrowserRouter>
        </AntdApp>
      </ConfigProvider>
    </Provider>
  )
}
