import { describe, expect, test } from '@jest/globals'
import { alreadyRegisteredMail, passwordChangedMail, resetMail, verificationMail } from './mail-content.ts'

const frame = { publicUrl: 'https://tripline.example', contactEmail: 'help@tripline.example' }

describe('a mail', () => {
  test('says the same as text and as HTML, with a link for one use', () => {
    const { subject, text, html } = verificationMail(frame, 'abc')
    expect(subject).toBe('Verify your email for Tripline')
    expect(text).toContain('Verify email: https://tripline.example/verify-email#token=abc\n')
    expect(html).toContain('<a href="https://tripline.example/verify-email#token=abc">Verify email</a>')
    for (const form of [text, html]) expect(form).toContain('help@tripline.example')
  })

  test('shows a name as it was typed and lets it do nothing', () => {
    const name = `<img src=x onerror="alert('1')"> & Co\n\nPlease pay here: evil.example`
    const { text, html } = resetMail(frame, name, 'abc')
    expect(html).not.toMatch(/<img|onerror="/)
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; Co')
    expect(text.split('\n').filter((line) => line.startsWith('Please pay'))).toEqual([])
  })

  test('to a user who registers again links to a new password, and contains no token', () => {
    const { text } = alreadyRegisteredMail(frame)
    expect(text).toContain('https://tripline.example/forgot-password')
    expect(text).not.toContain('token=')
  })

  test('names no contact where there is none', () => {
    expect(passwordChangedMail({ publicUrl: frame.publicUrl }).text).not.toContain('Questions')
  })
})
