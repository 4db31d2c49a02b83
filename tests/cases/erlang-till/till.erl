%% SPDX-License-Identifier: MIT
%% Sums up the receipts of a day by groups of goods.
-module(till).
-export([main/1]).

-define(ARTICLES, 5000).
-define(RECEIPTS, 34000).

main([Kind]) ->
    Articles = read_articles(Kind),
    Sums = lists:foldl(fun(Number, Sums) -> add_receipt(receipt(Number), Articles, Sums) end,
                       #{}, lists:seq(1, ?RECEIPTS)),
    io:format("sum ~b of ~b items~n", [lists:sum(maps:values(Sums)), ?RECEIPTS * 10]),
    report(Sums),
    halt().

%% Number, group and price of each article.
read_articles(Kind) ->
    List = [{Number, {Number rem 12, 50 + Number * 7919 rem 401}}
            || Number <- lists:seq(1, ?ARTICLES)],
    case Kind of
        "map" -> maps:from_list(List);
        "list" -> List
    end.

%% The items of a receipt, as the till wrote them.
receipt(Number) ->
    Line = lists:flatten([io_lib:format("~b;~b~n", [item(Number, Place), 1 + Place rem 3])
                          || Place <- lists:seq(1, 10)]),
    Rows = string:lexemes(Line, "\n"),
    [{list_to_integer(Article), list_to_integer(Amount)}
     || Row <- Rows, [Article, Amount] <- [string:lexemes(Row, ";")]].

item(Number, Place) ->
    1 + (Number * 104729 + Place * 7919) rem ?ARTICLES.

add_receipt(Items, Articles, Sums) ->
    lists:foldl(fun({Number, Amount}, Sum) ->
                        {Group, Price} = find_article(Number, Articles),
                        maps:update_with(Group, fun(Old) -> Old + Price * Amount end,
                                         Price * Amount, Sum)
                end, Sums, Items).

find_article(Number, Articles) when is_map(Articles) ->
    maps:get(Number, Articles);
find_article(Number, [{Number, Article} | _]) ->
    Article;
find_article(Number, [_ | Others]) ->
    find_article(Number, Others).

report(Sums) ->
    [io:format("group ~b: ~b~n", [Group, Sum]) || {Group, Sum} <- lists:sort(maps:to_list(Sums))].
