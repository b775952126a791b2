import { escapeHtml } from '@tripline/proto/escape-html'

/** A mail's text, in both forms. */
export interface MailContent {
  subject: string
  text: string
  html: string
}

/** Values that all mails share. A token is in the fragment of its link, which no server and no proxy is sent. */
export interface MailFrame {
  publicUrl: string
  /** The address at which people may ask, if anybody answers. */
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
      'Welcome to Tripline! Open the link below and verify your email with the password you chose.',
    ],
    link: { label: 'Verify email', url: `${frame.publicUrl}/verify-email#token=${token}` },
    closing:
      'The link is valid for 24 hours. If you did not sign up, ignore this email: nothing happens without that password.',
  })
}

/** To a user, when somebody registers with the user's email once more. */
export function alreadyRegisteredMail(frame: MailFrame): MailContent {
  return layOut(frame, {
    subject: 'You already have a Tripline account',
    paragraphs: [
      'Someone, probably you, just tried to sign up with this email. You already have an account, and nothing about it has changed.',
      `Sign in at ${frame.publicUrl}/login`,
    ],
    link: { label: 'Choose a new password', url: `${frame.publicUrl}/forgot-password` },
    closing: 'If it was not you, you can ignore this email.',
  })
}

/** To a user who wants a new password. */
export function resetMail(frame: MailFrame, firstName: string, token: string): MailContent {
  return layOut(frame, {
    subject: 'Reset your Tripline password',
    paragraphs: [`Hello ${oneLine(firstName)},`, 'Use this link to choose a new password.'],
    link: { label: 'Reset password', url: `${frame.publicUrl}/reset-password#token=${token}` },
    closing:
      'The link works once and is valid for one hour. If you did not ask for it, ignore this email; your password will not change.',
  })
}

/** To a user whose password was changed. */
export function passwordChangedMail(frame: MailFrame): MailContent {
  return layOut(frame, {
    subject: 'Your Tripline password was changed',
    paragraphs: ['Your password was just changed and all sessions were signed out.'],
    link: { label: 'It was not me', url: `${frame.publicUrl}/forgot-password` },
    closing: 'If it was you, there is nothing to do.',
  })
}

/** To a user whose webhook has a new address since the password was reset; the address itself is in no mail. */
export function webhookRenewedMail(frame: MailFrame): MailContent {
  return layOut(frame, {
    subject: 'Your Tripline webhook has a new URL',
    paragraphs: [
      'Your webhook URL was replaced together with your password. Alerts sent to the old one are now rejected.',
      'Copy the new URL from the Webhook page into your alerts. The close-only addresses of your bots are new as well: see the API Keys page.',
    ],
    link: { label: 'Show the new URL', url: `${frame.publicUrl}/webhook` },
    closing: 'Your bots and their open orders are not affected.',
  })
}

/** To a user one of whose refresh tokens was used by two. */
export function sessionReusedMail(frame: MailFrame): MailContent {
  return layOut(frame, {
    subject: 'A Tripline session was ended for your safety',
    paragraphs: [
      'A used session token was presented again, so we ended that session. Someone may have copied it.',
      'Please sign in again. If you see sessions you do not recognize, choose a new password: that ends all of them.',
    ],
    link: { label: 'Choose a new password', url: `${frame.publicUrl}/forgot-password` },
    closing: 'Your bots keep trading.',
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
