# Tells which requests of a log a shop's filter would refuse; use: filter.rb LOG old|new
# SPDX-License-Identifier: MIT

Request = Struct.new(:client, :method, :target)

# The rules that all versions of the filter have.
COMMON_RULES = {
  "path upwards" => %r{\.\./},
  "end of string" => /\0/,
  "table dropped" => /\bdrop\s+table\b/i,
  "command" => /[;|`]\s*(?:cat|rm|wget|curl)\b/
}.freeze

# A mark-up in what is given after an equals sign.
OLD_RULE = /\w*.*(?:.*=.*)[<>]/
NEW_RULE = /=[^<>]*[<>]/

def rules_of(version)
  COMMON_RULES.merge("mark-up" => version == "old" ? OLD_RULE : NEW_RULE)
end

def parse(line)
  Request.new(*line.chomp.split(" ", 3))
end

def unescape(target)
  target.gsub(/%([0-9a-fA-F]{2})/) { Regexp.last_match(1).hex.chr }
end

def refused_by(rules, request)
  target = unescape(request.target)
  rules.each do |name, rule|
    return name if rule.match?(target)
  end
  nil
end

def filter(path, rules)
  clients = Hash.new(0)
  refused = Hash.new(0)
  requests = 0
  File.foreach(path) do |line|
    request = parse(line)
    requests += 1
    clients[request.client] += 1
    name = refused_by(rules, request)
    refused[name] += 1 if name
  end
  [requests, clients, refused]
end

def report(requests, clients, refused)
  refused.sort.each { |name, count| puts "#{name}: #{count}" }
  busiest = clients.max_by { |client, count| [count, client] }
  puts "busiest client: #{busiest.join(', ')}"
  puts "#{requests} requests, #{refused.values.sum} refused"
end

report(*filter(ARGV[0], rules_of(ARGV[1])))
