import { escapeHtml } from './html.ts'

/** What a mail says, in both forms. */
export interface MailContent {
  subject: string
  text: string
  html: string
}

/** Values that all mails share. A token is in the fragment of its link, which no server and no proxy is sent. */
export interface MailFrame {
  publicUrl: string
  /** Where people may ask, if anybody answers. */
  contactEmail?: string | undefined
}

interface Letter {
  subject: string
  paragraphs: string[]
  link?: { label: string; url: string }
  closing: string
}

/** To somebody who has registered; nothing that was typed is in it, since anybody can have it sent to anybody. */
export function verificationMail(frame: MailFrame, token: string): MailContent {
  return layOut(frame, {
    subject: 'Verify your email for Tripline',
    paragraphs: [
      'welcome to Tripline. Please verify your email with the password that you chose, so that you can log in.',
    ],
    link: { label: 'Verify email', url: `${frame.publicUrl}/verify-email#token=${token}` },
    closing:
      'The link works for 24 hours. If you did not register, ignore this mail: nothing happens without that password.',
  })
}

/** To a user, when somebody registers with the user's email once more. */
export function alreadyRegisteredMail(frame: MailFrame): MailContent {
  return layOut(frame, {
    subject: 'You already have a Tripline account',
    paragraphs: [
      'somebody, probably you, has just tried to register with this email. You already have an account, and it is as it was.',
      `Log in at ${frame.publicUrl}/login`,
    ],
    link: { label: 'Choose a new password', url: `${frame.publicUrl}/forgot-password` },
    closing: 'If it was not you, there is nothing to do.',
  })
}

/** To a user who wants a new password. */
export function resetMail(frame: MailFrame, firstName: string, token: string): MailContent {
  return layOut(frame, {
    subject: 'Reset your Tripline password',
    paragraphs: [`Hello ${oneLine(firstName)},`, 'here you can choose a new password.'],
    link: { label: 'Reset password', url: `${frame.publicUrl}/reset-password#token=${token}` },
    closing:
      'The link works once and for one hour. If you did not ask for it, ignore this mail: your password stays as it is.',
  })
}

/** To a user whose password was changed. */
export function passwordChangedMail(frame: MailFrame): MailContent {
  return layOut(frame, {
    subject: 'Your Tripline password was changed',
    paragraphs: ['your password was changed just now, and everybody who was logged in has been logged out.'],
    link: { label: 'It was not me', url: `${frame.publicUrl}/forgot-password` },
    closing: 'If it was you, there is nothing to do.',
  })
}

/** To a user whose webhook has a new address since the password was reset; the address itself is in no mail. */
export function webhookRenewedMail(frame: MailFrame): MailContent {
  return layOut(frame, {
    subject: 'Your Tripline webhook has a new address',
    paragraphs: [
      'with your password, your webhook address was replaced too. Alerts that are sent to the old one are refused from now on.',
      'Please copy the new address from the webhook screen into your alerts. Close-only addresses of your bots are new, too: the API Keys screen shows them.',
    ],
    link: { label: 'Show the new address', url: `${frame.publicUrl}/webhook` },
    closing: 'Your bots and their open orders stay as they are.',
  })
}

/** To a user one of whose refresh tokens was used by two. */
export function sessionReusedMail(frame: MailFrame): MailContent {
  return layOut(frame, {
    subject: 'A Tripline session was ended for your safety',
    paragraphs: [
      'an old key to one of your sessions was used again. That may mean that somebody has copied it, so the session was ended.',
      'Please log in again. If you see sessions that you do not know, choose a new password: that ends all of them.',
    ],
    link: { label: 'Choose a new password', url: `${frame.publicUrl}/forgot-password` },
    closing: 'Your bots go on trading.',
  })
}

function layOut({ contactEmail }: MailFrame, { subject, paragraphs, link, closing }: Letter): MailContent {
  const contact = contactEmail === undefined ? [] : [`Questions: ${contactEmail}`]
  const behind = [closing, ...contact]
  const textLink = link === undefined ? [] : [`${link.label}: ${link.url}`]
  const htmlLink =
    link === undefined ? [] : [`<a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`]
  const html = [...paragraphs.map(escapeHtml), ...htmlLink, ...behind.map(escapeHtml)]
  return {
    subject,
    text: `${[...paragraphs, ...textLink, ...behind].join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${html.map((part) => `<p>${part}</p>`).join('\n')}\n</body></html>\n`,
  }
}

/** A name cannot bring lines of its own into a mail, nor much else. */
function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ').slice(0, 60)
}
