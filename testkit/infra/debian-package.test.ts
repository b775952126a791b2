import { describe, expect, test } from '@jest/globals'
import { findLine, findStanza } from './debian-package.ts'

describe('the entry of the machine for its own suite', () => {
  test('is the stanza that names it, reduced to that suite, with mirror and key', () => {
    const stanza =
      'Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm bookworm-updates\nComponents: main\nSigned-By: /key.gpg'
    const security =
      'Types: deb\nURIs: http://mirror.example/security\nSuites: bookworm-security\nComponents: main'
    expect(findStanza(`${security}\n\n${stanza}\n`, 'bookworm')).toEqual({
      text: `${stanza.replace(' bookworm-updates', '')}\n`,
      suite: 'bookworm',
      kind: 'sources',
    })
  })

  test('is not a stanza of sources only, nor one that is switched off', () => {
    const of = (more: string) => `Types: deb-src\nSuites: bookworm\n\nTypes: deb\nSuites: bookworm\n${more}\n`
    expect(findStanza(of('Enabled: no'), 'bookworm')).toBeUndefined()
  })

  test('is the line that names it, with its options', () => {
    const line = 'deb [signed-by=/key.gpg arch=amd64] http://mirror.example/debian bookworm main'
    const text = `# deb http://old.example/debian bookworm main\ndeb http://mirror.example/debian bookworm-updates main\n${line}\n`
    expect(findLine(text, 'bookworm')).toEqual({ text: `${line}\n`, suite: 'bookworm', kind: 'list' })
  })
})
