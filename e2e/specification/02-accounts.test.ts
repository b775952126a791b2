import { describe, expect, test } from '@jest/globals'
import { newPerson } from '@tripline/testkit/people/person'
import type { Page } from 'playwright-core'
import { expectOutcome, expectSoon, testComplaints, webFixture } from '../web-fixture.ts'
import {
  everythingOn,
  executeButton,
  expectNotice,
  logIn,
  mailedPath,
  register,
  stored,
  stranger,
  verify,
} from '../web-person.ts'

const web = webFixture()

async function openAt(path: string, width?: number): Promise<Page> {
  const page = await web.browser.open(width)
  await page.goto(path)
  return page
}

async function openLoggedIn(path = '/profile'): Promise<Page> {
  const page = await openAt(path)
  await logIn(page, web.demo)
  await page.waitForURL(path)
  return page
}

/** Goes where no script runs: a screen of the app would notice at once what is changed of its session. */
async function leaveApp(page: Page): Promise<void> {
  await page.goto('/favicon.svg')
}

describe('2 and 5, login (/login)', () => {
  test('leads to the screen that was asked for, and to no other site', async () => {
    const page = await openAt('/executions?symbol=BTCUSDT')
    await page.waitForURL('/login?redirect=%2Fexecutions%3Fsymbol%3DBTCUSDT')
    await logIn(page, web.demo)
    await page.getByText('Login successful').waitFor()
    await page.waitForURL('/executions?symbol=BTCUSDT')
    await page.goto('/login?redirect=https%3A%2F%2Fexample.org%2F')
    await logIn(page, web.demo)
    await page.waitForURL('/dashboard')
    await page.getByRole('heading', { name: 'Welcome back, demo' }).waitFor()
  })

  test('that is refused says so in a notice and beside the form, and lets the person type on', async () => {
    const page = await openAt('/login')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByText('Please enter your email address').waitFor()
    await page.getByText('Please enter your password').waitFor()
    await logIn(page, { email: web.demo.email, password: 'not the password' })
    await page.getByText('Login failed').waitFor()
    await expectOutcome(page, 'Invalid email or password')
    await page.locator('#password:focus').waitFor()
    await page.getByRole('button', { name: 'Show' }).click()
    await expectSoon(() => page.locator('#password').getAttribute('type'), 'text')
  })
})

test('2, 4, 5 and 8, register and email verification: a newcomer registers, is verified by mail and logs in', async () => {
  const person = stranger()
  const page = await openAt('/register')
  await page.getByText('Sign up for Tripline').waitFor()
  await page.getByText('Already have an account?').getByRole('link', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Email', { exact: true }).fill('ada@example')
  await page.getByLabel('Confirm email').focus()
  await page.getByText('Please enter a valid email address').waitFor()
  await register(page, { ...person, password: 'short' })
  await expectNotice(page, 'Password too short', 'Password must be at least 8 characters')
  await page.locator('#password:focus').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByText('Passwords do not match').first().waitFor()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.locator('#confirm_password:focus').waitFor()
  await page.getByLabel('Confirm email').fill('somebody@example.org')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByRole('alert').getByText('Email addresses do not match').waitFor()
  await page.getByText(`Your username will be ${person.email.split('@')[0]}`).waitFor()
  await register(page, person)
  await expectNotice(page, 'Registration successful', 'Please check your email to verify your account')
  await page.waitForURL('/login')
  // Besides the specification: where the link went stays on the screen, and is not to be typed again.
  const sent = page.getByRole('region', { name: 'Check your inbox' })
  await sent.getByText(person.email).waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(person.email)

  await logIn(page, person)
  await expectOutcome(page, 'Please verify your email first')
  await page.getByRole('button', { name: 'Send the verification link again' }).click()
  await page.getByText('we sent a new link').waitFor()

  await page.goto(await mailedPath(web.product.urls.web, person, 'verify-email'))
  await verify(page, 'not the password')
  await expectOutcome(page, 'This is not the password that was chosen at the registration of this link')
  // Nothing of the token stays where others may see it.
  expect(new URL(page.url())).toMatchObject({ pathname: '/verify-email', search: '', hash: '' })
  await verify(page, person.password)
  await expectOutcome(page, 'Email Verified Successfully!')
  await page.getByText(person.email).waitFor()
  await page.getByRole('link', { name: 'Continue to Login' }).click()
  await expectSoon(() => page.getByLabel('Email').inputValue(), person.email)
  await logIn(page, person)
  await page.waitForURL('/dashboard')
  // By this it is known at the next login, whatever strangers have tried meanwhile.
  expect(JSON.parse((await stored(page, 'browserTokens')) ?? '[]')).toHaveLength(1)
})

describe('2 and 4, email verification (/verify-email): a link', () => {
  test.each([
    ['/verify-email', 'Invalid verification link'],
    ['/verify-email#token=unknown', 'Invalid or expired verification link'],
    // Mails of earlier versions have it in the query.
    ['/verify-email?token=unknown', 'Invalid or expired verification link'],
  ])('at %s is refused with the ways on', async (path, said) => {
    const page = await openAt(path)
    if (path.includes('token=')) await verify(page, 'any password')
    await page.getByText(said, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Go to Login' }).waitFor()
    await page.getByLabel('The email you registered with').fill(stranger().email)
    await page.getByRole('button', { name: 'Send a New Link' }).click()
    await page.getByText('we sent a new link').waitFor()
    await page.getByRole('link', { name: 'Try Register Again' }).click()
    await page.waitForURL('/register')
  })
})

describe('2, 4 and 5, forgot and reset password', () => {
  test('is set anew by a mailed link, once', async () => {
    const page = await openAt('/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('heading', { name: 'Forgot password' }).waitFor()
    await page.getByLabel('Email').fill('nobody@example.org')
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await page.getByRole('heading', { name: 'Check Your Email' }).waitFor()
    await page.getByText('If an account exists with that email, we sent a password reset link.').waitFor()
    await page.getByRole('link', { name: 'Back to Sign In' }).waitFor()
    await page.getByRole('button', { name: 'Try Another Email' }).click()

    const { urls } = web.product
    const person = await newPerson(urls.web)
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await page.getByRole('heading', { name: 'Check Your Email' }).waitFor()
    const link = await mailedPath(urls.web, person, 'reset-password')
    await page.goto(link)
    await expectSoon(() => page.getByLabel('Also create a new webhook URL').isChecked(), true)
    await setPassword(page, 'Another secret 2')
    await Promise.all([
      expectNotice(page, 'Password reset successful', 'You can now login with your new password'),
      expectOutcome(page, 'Password Reset!'),
    ])
    await page.waitForURL('/login')
    await logIn(page, { ...person, password: 'Another secret 2' })
    await page.waitForURL('/dashboard')

    await page.goto(link)
    await setPassword(page, 'Another secret 3')
    await expectNotice(page, 'Reset failed', 'Invalid or expired token')
    await page.getByRole('link', { name: 'Request New Link' }).click()
    await page.waitForURL('/forgot-password')
  })

  test('needs a good new one', async () => {
    const page = await openAt('/reset-password#token=any')
    const submit = page.getByRole('button', { name: 'Reset Password' })
    await expectSoon(() => submit.isDisabled(), true)
    await page.getByText('Still needed: at least 8 characters, the same password twice').waitFor()
    const field = page.getByLabel('New password')
    for (const [password, word] of [
      ['short', 'Too short'],
      ['abcdefgh', 'Weak'],
      ['abcdefgh1', 'Fair'],
      ['Abcdefgh1', 'Fair'],
      ['Abcdefgh1!', 'Good'],
      ['Abcdefghij1!', 'Strong'],
    ] as const) {
      await field.fill(password)
      await page.locator('.strength-word', { hasText: word }).waitFor()
    }
    await expectSoon(() => submit.isDisabled(), true)
    await page.getByLabel('Confirm password').fill('Abcdefghij1!')
    await page.getByRole('button', { name: 'Reset Password', disabled: false }).waitFor()
  })

  test('without a token in its link needs a new link', async () => {
    const page = await openAt('/reset-password')
    await expectNotice(page, 'Invalid link', 'The password reset link is invalid or missing.')
    await page.getByRole('link', { name: 'Request New Link' }).waitFor()
  })

  async function setPassword(page: Page, password: string) {
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Confirm password').fill(password)
    await page.getByRole('button', { name: 'Reset Password' }).click()
  }
})

describe('4 and 8, session', () => {
  test('is refreshed unseen when its access token runs out, once for all calls', async () => {
    const page = await openLoggedIn()
    const refreshes: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/refresh')) refreshes.push(request.url())
    })
    await leaveApp(page)
    await page.evaluate(() => localStorage.setItem('accessToken', 'run out'))
    await page.goto('/webhook')
    await page.getByRole('img', { name: 'Live events: connected' }).waitFor()
    await page.getByRole('button', { name: 'Pause trading' }).waitFor()
    expect(await stored(page, 'accessToken')).not.toBe('run out')
    expect(refreshes).toHaveLength(1)

    // A webhook takes an alert without a session, too: whose it is would go unnoticed.
    await page.getByRole('link', { name: 'Terminal' }).click()
    await page.getByLabel('Webhook message').fill('MyBot(BTCUSDT) { balance }')
    await executeButton(page).waitFor()
    await page.evaluate(() => localStorage.setItem('accessToken', 'run out'))
    const sending = page.waitForRequest(/\/webhook\//)
    await executeButton(page).click()
    const sent = await (await sending).headerValue('authorization')
    expect(sent).toBe(`Bearer ${await stored(page, 'accessToken')}`)
    expect(sent).not.toBe('Bearer run out')
  })

  test('that ended leads to the login and back to where the person was and what they wrote', async () => {
    const page = await openLoggedIn('/terminal?from=here')
    const editor = page.locator('.cm-content')
    await editor.fill('MyBot(BTCUSDT) { balance }')
    await page.getByRole('region', { name: 'What it would do now' }).waitFor()
    // A person who comes back to a tab sees what is so now, and so asks.
    await page.evaluate(`
      for (const key of ['accessToken', 'refreshToken', 'recentWebhooks', 'token', 'user'])
        localStorage.setItem(key, 'ended')
      dispatchEvent(new Event('focus'))
    `)
    await expectNotice(page, 'Session expired', 'Please log in again to continue')
    await page.waitForURL('/login?session=expired&redirect=%2Fterminal%3Ffrom%3Dhere')
    for (const key of ['accessToken', 'refreshToken', 'recentWebhooks', 'token', 'user'])
      expect(await stored(page, key)).toBeNull()
    await logIn(page, web.demo)
    await page.waitForURL('/terminal?from=here')
    await expectSoon(() => editor.textContent(), 'MyBot(BTCUSDT) { balance }')
  })

  test('ends with a logout, for its tokens and its other tabs too', async () => {
    const page = await openLoggedIn()
    const token = await stored(page, 'accessToken')
    const other = await page.context().newPage()
    await other.goto('/profile')
    await other.getByText('Profile page - Coming soon').waitFor()
    // One that is refused is refreshed to log out with; whose it is it says, or the other tab would load anew.
    const refused = `${token}`.replace(/[^.]*$/, 'over')
    await page.evaluate((written) => {
      localStorage.setItem('accessToken', written)
      localStorage.setItem('recentWebhooks', '[]')
    }, refused)
    await page.getByRole('button', { name: web.demo.email }).click()
    await page.getByText('Logout').click()
    await page.waitForURL('/login')
    await other.waitForURL('/login?redirect=%2Fprofile')
    expect(await stored(page, 'accessToken')).toBeNull()
    expect(await stored(page, 'refreshToken')).toBeNull()
    expect(await stored(page, 'recentWebhooks')).toBeNull()
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${web.product.urls.web}/api/users/me`, { headers })
    expect(answer.status).toBe(401)
  })
})

test('beside the specification: a newcomer comes to a filled order, and to its story in the history, without a pointer', async () => {
  const person = stranger()
  const keys = await openForKeys('/register')
  const { page, press, enter, tabTo } = keys
  await page.locator('#first_name:focus').waitFor()
  await enter('#first_name', 'Ada')
  await enter('#last_name', 'Byron')
  await tabTo('#country')
  await page.keyboard.type('ital')
  await page.locator('.ant-select-item-option-active', { hasText: 'Italy' }).waitFor()
  await press('Enter')
  await page.locator('.ant-select-content', { hasText: 'Italy' }).waitFor()
  await enter('#email', person.email)
  await enter('#confirm_email', person.email)
  await enter('#password', person.password)
  await enter('#confirm_password', person.password)
  await press('Enter')
  await page.waitForURL('/login')

  await page.goto(await mailedPath(web.product.urls.web, person, 'verify-email'))
  await enter('#password', person.password)
  await press('Enter')
  await tabTo('a', 'Continue to Login')
  await press('Enter')
  await page.locator('#password:focus').waitFor()
  await enter('#password', person.password)
  await press('Enter')
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()

  await press('g')
  await press('k')
  await page.getByText('No API keys configured').waitFor()
  await tabTo('.skip-link')
  await press('Enter')
  await tabTo('button', 'Add a Paper bot')
  await press('Enter')
  await page.locator('#label:focus').waitFor()
  await enter('#label', 'First')
  await press('Enter')
  await page.getByText('API key added successfully').waitFor()
  await page.getByText('It is your bot First: alerts address it by this label.').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await tabTo('button', 'Test')
  await press('Enter')
  await page.getByText('Connection successful').waitFor()

  await press('Control+k')
  await page.locator('.palette-search:focus').waitFor()
  await enter('.palette-search', 'short first')
  await page.locator('[aria-selected=true]', { hasText: 'Short (fast execution) on First' }).waitFor()
  await press('Enter')
  await page.getByRole('heading', { name: 'Terminal', level: 1 }).waitFor()
  await page.getByText('First(BTCUSDT) { market(sell, 0.01) }').first().waitFor()
  await tabTo('button:not(.ant-btn-loading)', 'Execute')
  await press('Enter')
  await page.getByText('1/1 command(s) completed').waitFor()
  await press('g')
  await press('e')
  await page.getByRole('heading', { name: 'Execution History', level: 1 }).waitFor()
  await page.locator('.status-chip', { hasText: 'success' }).first().waitFor()
  await press('j')
  await page.locator('.execution-toggle:focus').waitFor()
  await press('Enter')
  await page.getByText('acknowledged order').waitFor()
  expect(keys.pressed()).toBeLessThanOrEqual(mostKeys)
  expect(await everythingOn(page)).not.toContain(person.password)
}, 300_000)

// Besides what is typed into fields.
const mostKeys = 60

/** A page for somebody without a pointer, who acts on what it shows; counts the keys that are no text. */
async function openForKeys(path: string) {
  const page = await openAt(path)
  page.setDefaultTimeout(60_000)
  let pressed = 0
  const press = async (key: string) => {
    pressed += 1
    await page.keyboard.press(key)
  }
  const tabTo = async (selector: string, text = '') => {
    const wanted = page.locator(selector, { hasText: text })
    await wanted.first().waitFor()
    while ((await wanted.and(page.locator(':focus')).count()) === 0) {
      if (pressed > mostKeys) throw new Error(`${selector} ${text} is not reached by ${mostKeys} keys`)
      await press('Tab')
      await expectSoon(() => page.evaluate<string>(unseenFocus), 'nothing')
    }
  }
  const enter = async (field: string, text: string) => {
    await tabTo(field)
    await page.keyboard.type(text)
    await expectSoon(() => page.locator(field).inputValue(), text)
  }
  return { page, press, tabTo, enter, pressed: () => pressed }
}

/** Runs in the page: what has the focus without an outline or a ring around it or the row, card or field it is in. */
const unseenFocus = `(() => {
  const focused = document.activeElement
  const around = [focused]
  while (around.length < 5 && around.at(-1).parentElement) around.push(around.at(-1).parentElement)
  const isMarked = (element) => {
    const { outlineStyle, boxShadow } = getComputedStyle(element)
    return outlineStyle !== 'none' || /0px 0px 0px [1-9]/.test(boxShadow)
  }
  return around.some(isMarked) ? 'nothing' : focused.outerHTML.slice(0, 200)
})()`

testComplaints(web)
