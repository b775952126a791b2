import { expect, test } from '@jest/globals'
import { configureStore } from '@reduxjs/toolkit'
import { renderToStaticMarkup } from 'react-dom/server'
import { Provider } from 'react-redux'
import { MemoryRouter } from 'react-router-dom'
import { client } from '../shared/client.ts'
import { UserMenu } from './user-menu.tsx'

test('the user menu is called "User" while nobody knows who is logged in', () => {
  const store = configureStore({
    reducer: { [client.reducerPath]: client.reducer },
    middleware: (usual) => usual().concat(client.middleware),
  })
  const markup = renderToStaticMarkup(
    <Provider store={store}>
      <MemoryRouter>
        <UserMenu />
      </MemoryRouter>
    </Provider>,
  )
  expect(markup).toContain('aria-label="User"')
  expect(markup).toContain('>User</span>')
})
