import { expect, test } from '@jest/globals'
import { escapeHtml, html, page, table } from './html.ts'

test('text has no meaning to a browser', () => {
  expect(escapeHtml(`<b a="1" c='2'>&`)).toBe('&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;')
})

test('a value that is put into a template is escaped unless it is HTML', () => {
  const inner = html`<i>${'<script>'}</i>`
  expect(html`<p>${inner}${'&'}${1}</p>`.html).toBe('<p><i>&lt;script&gt;</i>&amp;1</p>')
})

test('a table escapes its cells and has a text for when it is empty', () => {
  const columns = [{ name: 'Name', show: (row: string) => row }]
  expect(table(['<b>'], columns, 'Nothing.').html).toContain('<td>&lt;b&gt;</td>')
  expect(table([], columns, 'Nothing.').html).toBe('<p>Nothing.</p>')
})

test('a page allows nothing but its own style', () => {
  const { headers, body } = page('A <title>', html`<h1>x</h1>`)
  expect(headers?.['Content-Security-Policy']).toContain("default-src 'none'")
  expect(body).toContain('<title>A &lt;title&gt;</title>')
})
