import { PRODUCT } from '../../../pieces/product.ts';

type ShareText = {
  readonly channel: string;
  readonly text: string;
  /** Opens the channel with the text, where that is possible in any browser. */
  readonly href?: string;
};

/** Messages that recommend the product, with the referral link. */
export function shareTexts(link: string): readonly ShareText[] {
  const short = `I use ${PRODUCT} to message our customers in the app, by email and by text message. You can sign up with my referral link: ${link}`;
  const subject = `${PRODUCT} for your customer messages`;
  const letter = `Hi,

I use ${PRODUCT} to message our customers in the app, by email and by text message. I think it could help your team too.

You can sign up with my referral link:
${link}`;
  const post = `We use ${PRODUCT} to message our customers in the app, by email and by text message.

If you are looking for something similar, you can sign up with my referral link: ${link}`;
  return [
    { channel: 'WhatsApp', text: short, href: `https://wa.me/?text=${encodeURIComponent(short)}` },
    { channel: 'Email', text: letter, href: mailTo(subject, letter) },
    { channel: 'SMS', text: short },
    { channel: 'LinkedIn', text: post },
  ];
}

/** Lines of an email end with CR and LF. */
function mailTo(subject: string, body: string): string {
  const lines = body.replaceAll('\n', '\r\n');
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines)}`;
}
