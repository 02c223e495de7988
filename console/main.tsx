import './theme/fonts.css';
import './theme/components.ts';
import '@mantine/notifications/styles.css';
import './theme/page.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { SessionProvider } from './session/SessionProvider.tsx';
import { Console } from './shell/Console.tsx';
import { resolveColors } from './theme/resolve-colors.ts';
import { theme } from './theme/theme.ts';

const colorScheme = localStorageColorSchemeManager({ key: 'console-color-scheme' });

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveColors}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
    >
      <Notifications position="bottom-right" />
      <SessionProvider>
        <ModalsProvider>
          <Console />
        </ModalsProvider>
      </SessionProvider>
    </MantineProvider>
  </StrictMode>,
);
