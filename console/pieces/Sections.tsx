import './sections.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';

export type Section = {
  readonly path: string;
  readonly title: string;
  /** Beside the title, such as a count. */
  readonly note?: ReactNode;
  /** If the paths below belong to other sections. */
  readonly isExact?: boolean;
};

type SectionsProps = { readonly label: string; readonly sections: readonly Section[] };

/** The parts of a view, each with an address of its own. */
export function Sections({ label, sections }: SectionsProps) {
  const here = useSection(sections);
  const nav = useRef<HTMLElement>(null);
  const path = here?.path;
  useEffect(() => scrollToCurrent(nav.current, path), [path]);
  useEffect(() => markEnds(nav.current!), []);
  return (
    <nav ref={nav} className="sections" aria-label={label}>
      {sections.map(section => (
        <Link
          key={section.path}
          href={section.path}
          aria-current={section === here ? 'page' : undefined}
        >
          {section.title}
          {section.note}
        </Link>
      ))}
    </nav>
  );
}

/** Marks the ends beyond which there are more, for the fade there. Returns a function that stops it. */
function markEnds(nav: HTMLElement): () => void {
  const mark = () => {
    const { scrollLeft, scrollWidth, clientWidth } = nav;
    nav.toggleAttribute('data-more-before', scrollLeft > 1);
    nav.toggleAttribute('data-more-after', scrollLeft + clientWidth < scrollWidth - 1);
  };
  const observer = new ResizeObserver(mark);
  observer.observe(nav);
  for (const link of nav.children) observer.observe(link);
  nav.addEventListener('scroll', mark, { passive: true });
  return () => {
    observer.disconnect();
    nav.removeEventListener('scroll', mark);
  };
}

/** On a phone they are wider than the screen. */
function scrollToCurrent(nav: HTMLElement | null, path: string | undefined): void {
  if (path !== undefined)
    nav?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
}

export function useSection(sections: readonly Section[]): Section | undefined {
  const [location] = useLocation();
  return sections.find(({ path, isExact }) =>
    isExact ? location === path : `${location}/`.startsWith(`${path}/`),
  );
}
