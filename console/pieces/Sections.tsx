import './sections.css';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';

export type Section = {
  readonly path: string;
  readonly title: string;
  /** If the paths below belong to other sections. */
  readonly isExact?: boolean;
};

type SectionsProps = { readonly label: string; readonly sections: readonly Section[] };

/** The parts of a view, each with an address of its own. */
export function Sections({ label, sections }: SectionsProps) {
  const here = useSection(sections);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => scrollToCurrent(nav.current, here), [here]);
  return (
    <nav ref={nav} className="sections" aria-label={label}>
      {sections.map(section => (
        <Link
          key={section.path}
          href={section.path}
          aria-current={section === here ? 'page' : undefined}
        >
          {section.title}
        </Link>
      ))}
    </nav>
  );
}

/** On a phone they are wider than the screen. */
function scrollToCurrent(nav: HTMLElement | null, here: Section | undefined): void {
  if (here !== undefined)
    nav?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
}

export function useSection(sections: readonly Section[]): Section | undefined {
  const [location] = useLocation();
  return sections.find(({ path, isExact }) =>
    isExact ? location === path : `${location}/`.startsWith(`${path}/`),
  );
}
