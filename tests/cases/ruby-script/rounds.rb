#!/usr/bin/ruby
# SPDX-License-Identifier: MIT
#
# rounds.rb VANS sorted|placed: when the vans of a delivery service have made all their stops. The
# next stops of all vans are held in order. A van's next one is added at the end, and they are sorted
# again; or it is put where it belongs.

Van = Struct.new(:number, :driver, :stops, :parcels)

def read_vans(name)
  File.foreach(name, chomp: true).map do |line|
    number, driver, stops, parcels = line.split(';')
    Van.new(number.to_i, driver, stops.to_i, parcels.to_i)
  end
end

# The next stops, as "000123.00017": the minute and the van.
class Schedule
  def initialize(how)
    @sorted = how == 'sorted'
    @stops = []
  end

  def add(minute, index)
    stop = format('%06d.%05d', minute, index)
    if @sorted
      @stops << stop
      @stops.sort!
    else
      place = @stops.bsearch_index { |other| other >= stop } || @stops.size
      @stops.insert(place, stop)
    end
  end

  def next
    stop = @stops.shift or return
    stop.split('.').map { |part| part.to_i(10) }
  end
end

def minutes_to_next_stop(van, stop)
  5 + (van.number * 7919 + stop * 104_729) % 60
end

def time_of_day(minute)
  format('day %d, %02d:%02d', minute / 1440, minute / 60 % 24, minute % 60)
end

# Each line of the log: a driver, a time, and what is left in the van.
def make_rounds(vans, schedule)
  left = vans.map(&:stops)
  log = []
  vans.each_index { |index| schedule.add(index % 480, index) }
  while (minute, index = schedule.next)
    van = vans[index]
    left[index] -= 1
    log << "#{van.driver.capitalize}: #{time_of_day(minute)}, #{left[index] * van.parcels} parcels left"
    schedule.add(minute + minutes_to_next_stop(van, left[index]), index) if left[index].positive?
  end
  log
end

def stops_by_day(log)
  log.group_by { |line| line[/day (\d+)/, 1].to_i }.transform_values(&:size)
end

log = make_rounds(read_vans(ARGV[0]), Schedule.new(ARGV[1]))
stops_by_day(log).sort.each { |day, stops| puts "day #{day}: #{stops} stops" }
puts log.last
