import type { Properties } from '../core/event.ts';
import { LIBRARY } from '../core/library.ts';

/** URLs and titles can be longer than the service accepts. */
const CHARACTERS_MAX = 2_048;

/** The data of the page: part of the context, and the properties of a `page` event. */
export function pageProperties(): Properties {
  const { href, pathname, search } = location;
  return {
    url: cut(href),
    path: cut(pathname),
    search: cut(search),
    title: cut(document.title),
    referrer: cut(document.referrer),
  };
}

/** The context of every event. */
export function pageContext(): Properties {
  return {
    page: pageProperties(),
    campaign: campaignOf(new URLSearchParams(location.search)),
    userAgent: navigator.userAgent,
    locale: navigator.language,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    screen: { width: screen.width, height: screen.height },
    library: LIBRARY,
  };
}

/** `utm_source=news` becomes `source: 'news'`; undefined without such a parameter. */
function campaignOf(parameters: URLSearchParams): Properties | undefined {
  let campaign: Record<string, string> | undefined;
  for (const [name, value] of parameters)
    if (name.startsWith('utm_')) campaign = { ...campaign, [cut(name.slice(4))]: cut(value) };
  return campaign;
}

function cut(text: string): string {
  return text.slice(0, CHARACTERS_MAX);
}
