import { expect, test } from '@jest/globals'
import { renderToStaticMarkup } from 'react-dom/server'
import { ComingPanel } from './coming-panel.tsx'

test('each coming feature of the profile has a panel of its own', () => {
  const markup = renderToStaticMarkup(<ComingPanel />)
  expect(markup).toContain('<h2>Still to come</h2>')
  expect(markup).toContain('<p>Profile page - Coming soon</p>')
  expect(markup).toContain('Changing your name and country')
})
