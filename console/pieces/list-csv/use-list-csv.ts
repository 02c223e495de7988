import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { CombinedError, useClient } from 'urql';
import { type CsvValue, csvLine } from '../../../schema/values/csv-line.ts';
import { inCount } from '../in-words.ts';
import { type PagedList, type PagedVariables, pagesOf } from '../pages-of.ts';
import { problemOf } from '../problem.ts';
import { saveAs } from '../save-as.ts';

const ROWS_MAX = 10_000;

export type ListCsv<Data, Variables, Node> = PagedList<Data, Variables, Node> & {
  readonly columns: readonly (readonly [name: string, value: (node: Node) => CsvValue])[];
  readonly fileName: string;
};

type Download<Variables> = {
  /** The rows read so far; undefined if no download is in progress. */
  readonly rowCount: number | undefined;
  readonly download: (variables: Omit<Variables, 'after'>) => Promise<void>;
  readonly cancel: () => void;
};

/** Downloads a filtered list as CSV. It ends with the page that started it. */
export function useListCsv<Data, Variables extends PagedVariables, Node>(
  list: ListCsv<Data, Variables, Node>,
): Download<Variables> {
  const client = useClient();
  const [rowCount, setRowCount] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const cancel = () => {
    running.current?.abort();
    setRowCount(undefined);
  };
  const download = async (variables: Omit<Variables, 'after'>) => {
    const controller = new AbortController();
    running.current = controller;
    setRowCount(0);
    const lines = [csvLine(list.columns.map(([name]) => name))];
    let isCut = false;
    try {
      for await (const { nodes, pageInfo } of pagesOf(client, list, variables)) {
        if (controller.signal.aborted) return;
        for (const node of nodes) lines.push(csvLine(list.columns.map(([, value]) => value(node))));
        setRowCount(lines.length - 1);
        isCut = pageInfo.hasNextPage && lines.length > ROWS_MAX;
        if (isCut) break;
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      cancel();
      return notifyFailure(error);
    }
    setRowCount(undefined);
    saveAs(new Blob(lines, { type: 'text/csv;charset=utf-8' }), list.fileName);
    notifyEnd(lines.length - 1, isCut);
  };
  return { rowCount, download, cancel };
}

function notifyEnd(rowCount: number, isCut: boolean): void {
  const rows = `${inCount(rowCount)} ${rowCount === 1 ? 'row' : 'rows'}`;
  if (!isCut) return void notifications.show({ message: `The file has ${rows}.` });
  notifications.show({
    title: 'The file is not complete',
    message: `It has the newest ${rows}, the most that one file can have. Download the others with a narrower filter.`,
    color: 'yellow',
    autoClose: false,
  });
}

function notifyFailure(error: unknown): void {
  if (!(error instanceof CombinedError)) throw error;
  const { title, detail } = problemOf(error);
  notifications.show({
    title: 'Couldn’t download the file',
    message: `${title}: ${detail}`,
    color: 'red',
  });
}
