import { ConfigProvider } from 'antd'
import { useDeferredValue } from 'react'
import { Provider } from 'react-redux'
import { BrowserRouter } from 'react-router-dom'
import { contentNonce } from '../shared/content-nonce.ts'
import { useTheme } from '../shared/theme.ts'
import { antdTheme, themeScope } from '../ui/antd-theme.ts'
import { Notices } from '../ui/notices.tsx'
import { AppRoutes } from './routes.tsx'
import { store } from './store.ts'

const nonce = contentNonce()

// Below the body itself antd locks scrolling with a style that has no nonce; base.css locks it instead.
const overlays = () => document.getElementById('overlays') ?? document.body

/** The whole app. */
export function App() {
  // The page itself changes at once; what antd draws follows, in pieces between which the page answers.
  const theme = useDeferredValue(useTheme())
  return (
    <Provider store={store}>
      <ConfigProvider
        theme={antdTheme(theme)}
        csp={{ nonce }}
        getPopupContainer={overlays}
        wave={{ disabled: true }}
      >
        <Notices>
          <div className={themeScope}>
            <BrowserRouter>
              <AppRoutes />
            </BrowserRouter>
          </div>
        </Notices>
      </ConfigProvider>
    </Provider>
  )
}
